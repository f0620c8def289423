//! The Team page: all rigs of a team. A click opens one, live or its library.

mod column;
mod page;

pub(crate) use page::TeamPage;
