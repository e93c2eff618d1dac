//! The card of an actor or a thing: what holds of it now, rolling and bounded.

use super::triple::Name;
use super::truth::Claim;

#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub name: Name,
    /// Newest first, at most `profile_claims`; all of them hold at the instant asked for.
    pub claims: Vec<Claim>,
}
