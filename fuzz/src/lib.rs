//! Fuzzing front doors.
