//! The rules of a session and the aids of the player, in the words of the game's menu.

use trailbrake_model::Rule;

use super::layout::Session;
use super::names::{self, name};

const OFF_ON: &[&str] = &["Off", "On"];
const ON_OFF: &[&str] = &["On", "Off"];
const LEVELS: &[&str] = &["Off", "Reduced", "Standard", "Increased"];
const BROADCAST: &[&str] = &["Broadcast", "Immersive"];

/// Declares the rules: field, name, and the words of its numbers; without words it is a count.
macro_rules! rules {
    (@words) => { &[] };
    (@words $words:expr) => { $words };
    ($($field:ident $name:literal $($words:expr)?;)*) => {
        /// The name of each rule, and the words of its numbers.
        const RULES: &[(&str, &[&str])] = &[$(($name, rules!(@words $($words)?)),)*];

        /// The number of each rule, if a packet names it.
        fn numbers(session: &Session<'_>) -> [Option<u8>; RULES.len()] {
            [$(session.$field,)*]
        }
    };
}

rules! {
    steering_assist "Steering assist" OFF_ON;
    braking_assist "Braking assist" &["Off", "Low", "Medium", "High"];
    gearbox_assist "Gearbox" &["", "Manual", "Manual with suggested gear", "Automatic"];
    abs_assist "ABS" OFF_ON;
    traction_control_assist "Traction control" &["Off", "Medium", "Full"];
    pit_assist "Pit assist" OFF_ON;
    pit_release_assist "Pit release assist" OFF_ON;
    ers_assist "ERS assist" OFF_ON;
    drs_assist "DRS assist" OFF_ON;
    racing_line "Racing line" &["Off", "Corners only", "Full"];
    racing_line_type "Kind of racing line" &["2D", "3D"];
    racing_line_hi_vis "Racing line easy to see" OFF_ON;
    racing_line_colour_blind "Colours of the racing line";
    recurring_rewind_prompt "Prompt for flashbacks" OFF_ON;
    ai_difficulty "AI difficulty";
    forecast_accuracy "Weather forecast" &["Perfect", "Approximate"];
    rule_set "Rules" &[
        "Practice and qualifying", "Race", "Time trial", "", "Time attack", "", "Checkpoint challenge", "",
        "Autocross", "Drift", "Average speed zone", "Rival duel", "Elimination",
    ];
    session_length "Length" &["None", "", "Very short", "Short", "Medium", "Medium long", "Long", "Full"];
    num_safety_cars "Safety cars so far";
    num_virtual_safety_cars "Virtual safety cars so far";
    num_red_flags "Red flags so far";
    equal_car_performance "Equal cars" OFF_ON;
    recovery_mode "Recovery" &["None", "Flashbacks", "Automatic"];
    flashback_limit "Flashbacks" &["Low", "Medium", "High", "Unlimited"];
    surface_type "Surface" &["Simple", "Realistic"];
    low_fuel_mode "Low fuel" &["Easy", "Hard"];
    race_starts "Starts" &["Manual", "Assisted"];
    tyre_temperature "Tyre temperature" &["Surface only", "Surface and carcass"];
    pit_lane_tyre_sim "Tyres in the pit lane" ON_OFF;
    car_damage "Damage" &["Off", "Reduced", "Standard", "Simulation"];
    car_damage_rate "Rate of damage" &["Reduced", "Standard", "Simulation"];
    collisions "Collisions" &["Off", "Not between players", "On"];
    collisions_off_first_lap "No collisions on the first lap" OFF_ON;
    mp_unsafe_pit_release "Unsafe pit release" ON_OFF;
    mp_off_for_griefing "Collisions off for griefing" OFF_ON;
    corner_cutting "Corner cutting" &["Regular", "Strict"];
    parc_ferme "Parc fermé" OFF_ON;
    pit_stop_experience "Pit stops" &["Automatic", "Broadcast", "Immersive"];
    safety_car "Safety car" LEVELS;
    safety_car_experience "Behind the safety car" BROADCAST;
    formation_lap "Formation lap" OFF_ON;
    formation_lap_experience "On the formation lap" BROADCAST;
    red_flags "Red flags" LEVELS;
    affects_licence_solo "Counts for the licence, alone" OFF_ON;
    affects_licence_mp "Counts for the licence, online" OFF_ON;
    active_aero_track_status "Active aerodynamics" &["Full", "Partial"];
}

/// The rules that a packet names.
fn named(session: &Session<'_>) -> impl Iterator<Item = Rule> {
    RULES.iter().zip(numbers(session)).filter_map(|((rule, words), number)| {
        let number = number?;
        let word =
            words.get(usize::from(number)).filter(|word| !word.is_empty()).map(|word| (*word).to_owned());
        Some(Rule { rule: (*rule).to_owned(), setting: word.unwrap_or_else(|| number.to_string()) })
    })
}

/// The rules of the session.
pub(super) fn rules(session: &Session<'_>, weekend: Option<String>) -> Vec<Rule> {
    let other =
        |rule: &str, setting: Option<String>| setting.map(|setting| Rule { rule: rule.to_owned(), setting });
    let mode = |number: u8| name(names::GAME_MODES, number).map_or_else(|| number.to_string(), str::to_owned);
    let formula = session.header.game_major_version.map(|_| session.formula);
    let formula = formula.and_then(|formula| name(names::FORMULAS, formula));
    let time = |minutes: u32| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
    let reaction = session.start_reaction_time.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    let others = [
        other("Game mode", session.game_mode.map(mode)),
        other("Cars", formula.map(str::to_owned)),
        other("Time of day", session.time_of_day.map(time)),
        other("Weekend", weekend),
        other("Reaction at the start", reaction.map(|seconds| format!("{seconds:.3} s"))),
    ];
    others.into_iter().flatten().chain(named(session)).collect()
}
