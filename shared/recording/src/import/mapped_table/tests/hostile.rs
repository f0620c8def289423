//! Nothing in a table or a mapping stops the program.

use proptest::prelude::*;

use super::*;

fn any_meaning() -> impl Strategy<Value = Meaning> {
    prop::sample::select(Meaning::offered())
}

prop_compose! {
    fn any_column()(
        column in "[abc]",
        is in any_meaning(),
        unit in prop::sample::select(vec!["", "s", "ms", "mm:ss", "m", "ratio", "%", "km/h", "deg", "C", "bar"]),
        opposite in any::<bool>(),
    ) -> MappedColumn {
        MappedColumn { column, is, unit: unit.to_owned(), opposite }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for is_whole in [true, false] {
            if let Ok(sample) = TableSample::of(&bytes, is_whole) {
                let mapping = guess(&sample);
                let _ = preview(&mapping, &sample, &bytes, is_whole);
                prop_assert!(mapping.fits(sample.names()));
            }
        }
    }

    #[test]
    fn any_mapping_reads_or_refuses_any_numbers(
        rows in prop::collection::vec(prop::collection::vec("[0-9.eE+:-]{0,6}|true|NaN|1e300|-1e-300|[0-9]{2}", 3), 0..60),
        columns in prop::collection::vec(any_column(), 0..4),
        rows_per_second in prop::option::of(0.1..1000.0),
    ) {
        let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        let text = format!("a,b,c\n{}\n", rows.join("\n"));
        let mapping = TableMapping { separator: ',', decimal: '.', heading_line: 1, first_line: 2, rows_per_second, columns };
        match read(text.as_bytes(), &mapping) {
            Ok(laps) => {
                for lap in &laps.laps {
                    prop_assert!(lap.columns.seconds().is_sorted());
                    prop_assert!(lap.began_s >= 0.0);
                }
            }
            Err(reason) => prop_assert!(!reason.to_string().is_empty()),
        }
    }

    #[test]
    fn pieces_make_the_same_laps(piece in 1_usize..5000) {
        let text = table("Time,Speed,Lap", 0.0, 4500.0, |moment| format!("{:.2},50,{}", moment.time_s, moment.lap()));
        let mapping = guessed(text.as_bytes());
        let mut table = MappedTable::begin(mapping).expect("a mapping");
        for piece in text.as_bytes().chunks(piece) {
            table.push(piece).expect("rows");
        }
        prop_assert_eq!(times(&table.finish().expect("laps")), [None, Some(40_000), None]);
    }
}

#[test]
fn a_lap_in_each_row_is_no_lap_number() {
    let text = table("Time,Speed,Lap", 0.0, 30_000.0, |moment| format!("{0:.2},50,{0:.2}", moment.time_s));
    let refused = read(text.as_bytes(), &guessed(text.as_bytes())).expect_err("too many laps");
    assert_eq!(refused, NotMapped::ManyLaps { line: 10_003 });
}

#[test]
fn ten_thousand_columns_are_read() {
    let names: Vec<String> = (0..9_998).map(|column| format!("c{column}")).collect();
    let zeros = vec!["0"; 9_998].join(",");
    let mut text = format!("Time,Speed,{}\n", names.join(","));
    for row in 0..100 {
        text.push_str(&format!("{:.2},50,{zeros}\n", f64::from(row) / 50.0));
    }
    let mapping = guessed(text.as_bytes());
    assert_eq!(mapping.columns.len(), 2);
    assert_eq!(read(text.as_bytes(), &mapping).expect("a lap").laps[0].columns.len(), 100);
}
