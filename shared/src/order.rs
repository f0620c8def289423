//! Things put in order, by one piece of code for all types: the library's own sorting stands in a program once for each,
//! and the page has to be small. Long lists of plain numbers are better off with the library's.

use std::cmp::Ordering;

/// Puts things in the order that `compare` tells; equal ones stay as they stood.
pub fn sort_by<T>(things: &mut Vec<T>, compare: &dyn Fn(&T, &T) -> Ordering) {
    let order = places(things.len(), &|one, other| match (things.get(one), things.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    let mut taken: Vec<Option<T>> = things.drain(..).map(Some).collect();
    things.extend(order.into_iter().filter_map(|place| taken.get_mut(place)?.take()));
}

/// Puts things in the order of their keys; those of equal keys stay as they stood.
pub fn sort_by_key<T, K: Ord>(things: &mut Vec<T>, key: &dyn Fn(&T) -> K) {
    sort_by(things, &|one, other| key(one).cmp(&key(other)));
}

/// The places of so many things, in their order.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_the_library_s(mut things in proptest::collection::vec((0_u8..9, any::<u16>()), 0..60)) {
            let mut expected = things.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut things, &|(key, _)| *key);
            prop_assert_eq!(&things, &expected);
            expected.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            sort_by(&mut things, &|one, other| other.0.cmp(&one.0));
            prop_assert_eq!(things, expected);
        }
    }
}
