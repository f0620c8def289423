//! Describes a datagram as named fields, for people and scripts.

use super::PACKET;
use super::fields::Shape;
use super::report::Report;
use crate::{Described, Rejected, Value};

/// The known values under their names in the older documentation, null where not sent; then all other values.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let mut others = Vec::new();
    let report = Report::read(datagram, &mut |path, scalar| {
        others.push(Value::Text(format!("{path}: {scalar}")));
    })?;
    // NaN is printed as null.
    let number = |number: Option<f64>| Value::Double(number.unwrap_or(f64::NAN));
    let mut fields: Vec<(&'static str, Value)> = report
        .fields()
        .map(|(field, numbers)| {
            let mut sent = numbers.iter().copied();
            let value = match field.shape {
                Shape::One => number(sent.next().flatten()),
                Shape::Axes | Shape::Wheels => {
                    let parts = field.shape.parts().iter().map(|[name, _]| *name);
                    Value::Record(parts.zip(sent.map(number)).collect())
                }
            };
            (field.name, value)
        })
        .collect();
    fields.push(("others", Value::List(others)));
    Ok(Described { packet: PACKET, fields: Value::Record(fields) })
}
