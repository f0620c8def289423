//! Names of Assetto Corsa's tracks and cars by folder, shared by all of the game's feeds.

use trailbrake_model::Track;

/// The game's own tracks, by folder.
const TRACKS: &[(&str, &str)] = &[
    ("drift", "Drift track"),
    ("imola", "Imola"),
    ("ks_barcelona", "Barcelona"),
    ("ks_black_cat_county", "Black Cat County"),
    ("ks_brands_hatch", "Brands Hatch"),
    ("ks_drag", "Drag strip"),
    ("ks_highlands", "Highlands"),
    ("ks_laguna_seca", "Laguna Seca"),
    ("ks_monza66", "Monza 1966"),
    ("ks_nordschleife", "Nürburgring Nordschleife"),
    ("ks_nurburgring", "Nürburgring"),
    ("ks_red_bull_ring", "Red Bull Ring"),
    ("ks_silverstone", "Silverstone"),
    ("ks_silverstone1967", "Silverstone 1967"),
    ("ks_vallelunga", "Vallelunga"),
    ("ks_zandvoort", "Zandvoort"),
    ("magione", "Magione"),
    ("monza", "Monza"),
    ("mugello", "Mugello"),
    ("spa", "Spa-Francorchamps"),
    ("trento-bondone", "Trento–Bondone"),
];

/// The game's own cars, by folder.
const CARS: &[(&str, &str)] = &[
    ("abarth500", "Abarth 500"),
    ("bmw_1m", "BMW 1M"),
    ("bmw_m3_e30", "BMW M3 E30"),
    ("bmw_m3_e30_dtm", "BMW M3 E30 DTM"),
    ("bmw_m3_e30_gra", "BMW M3 E30 Group A"),
    ("bmw_m3_e92", "BMW M3 E92"),
    ("bmw_m3_gt2", "BMW M3 GT2"),
    ("bmw_z4_gt3", "BMW Z4 GT3"),
    ("ferrari_312t", "Ferrari 312T"),
    ("ferrari_458", "Ferrari 458 Italia"),
    ("ferrari_458_gt2", "Ferrari 458 GT2"),
    ("ferrari_f40", "Ferrari F40"),
    ("ferrari_laferrari", "Ferrari LaFerrari"),
    ("ks_audi_r8_lms", "Audi R8 LMS"),
    ("ks_ferrari_488_gt3", "Ferrari 488 GT3"),
    ("ks_ferrari_sf15t", "Ferrari SF15-T"),
    ("ktm_xbow_r", "KTM X-Bow R"),
    ("lotus_49", "Lotus 49"),
    ("lotus_98t", "Lotus 98T"),
    ("lotus_exos_125", "Lotus Exos 125"),
    ("mclaren_mp412c", "McLaren MP4-12C"),
    ("mclaren_mp412c_gt3", "McLaren MP4-12C GT3"),
    ("mercedes_sls", "Mercedes-Benz SLS AMG"),
    ("mercedes_sls_gt3", "Mercedes-Benz SLS AMG GT3"),
    ("pagani_huayra", "Pagani Huayra"),
    ("pagani_zonda_r", "Pagani Zonda R"),
    ("shelby_cobra_427sc", "Shelby Cobra 427 S/C"),
    ("tatuusfa1", "Tatuus FA01"),
];

/// The track in `folder`; `None` when the folder is empty. A layout with the track's own name counts as no layout.
pub(super) fn track(folder: &str, layout: &str) -> Option<Track> {
    if folder.is_empty() {
        return None;
    }
    let layout = Some(layout).filter(|layout| !layout.is_empty() && *layout != folder);
    let name = known(TRACKS, folder);
    Some(Track {
        id: layout.map_or(folder.to_owned(), |layout| format!("{folder}/{layout}")),
        name: name.map(|name| layout.map_or(name.to_owned(), |layout| format!("{name} ({layout})"))),
        recognised: None,
    })
}

/// The car's name; `None` for unknown folders.
pub(super) fn car_name(folder: &str) -> Option<&'static str> {
    known(CARS, folder)
}

fn known(table: &'static [(&str, &str)], folder: &str) -> Option<&'static str> {
    table.iter().find(|(id, _)| *id == folder).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_are_named_with_their_layouts_and_by_their_folders_where_unknown() {
        let named = |folder, layout| track(folder, layout).map(|track| (track.id, track.name));
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(named("ks_monza66", "ks_monza66"), Some(("ks_monza66".into(), name("Monza 1966"))));
        assert_eq!(
            named("ks_red_bull_ring", "layout_gp"),
            Some(("ks_red_bull_ring/layout_gp".into(), name("Red Bull Ring (layout_gp)")))
        );
        assert_eq!(named("my_mod", "long"), Some(("my_mod/long".into(), None)));
        assert_eq!(named("", "long"), None);
    }

    #[test]
    fn no_folder_stands_in_a_table_twice() {
        for table in [TRACKS, CARS] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0), "in order, and so found by eye");
        }
    }
}
