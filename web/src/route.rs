//! The shown page. It is kept in the address fragment, so that links, reloads and the back button work.

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// The live session, or a playing recording.
    Live,
    /// Comparison of laps.
    Analyse,
    /// The relay's recordings.
    Library,
    /// Which games send, and how to connect them.
    Connections,
    /// A dedicated server's drivers, chat and commands.
    Server,
    /// How the page looks, and its units.
    Settings,
}

impl Page {
    pub(crate) const ALL: [Self; 6] =
        [Self::Live, Self::Analyse, Self::Library, Self::Connections, Self::Server, Self::Settings];
    /// The pages that are always in the navigation, in its order.
    pub(crate) const NAVIGATION: [Self; 4] = [Self::Live, Self::Analyse, Self::Library, Self::Connections];
    /// The pages of all rigs of a team together, which receive no game.
    pub(crate) const OF_ALL_RIGS: [Self; 2] = [Self::Analyse, Self::Library];
    /// The pages in the viewer's navigation: it has no library and receives no games.
    pub(crate) const OF_VIEWER: [Self; 3] = [Self::Live, Self::Analyse, Self::Connections];

    /// The page of a fragment; Connections if the fragment names none.
    pub(crate) fn from_hash(hash: &str) -> Self {
        let name = hash.split('?').next().unwrap_or_default();
        Self::ALL.into_iter().find(|page| page.hash() == name).unwrap_or(Self::Connections)
    }

    /// The page's fragment.
    pub(crate) const fn hash(self) -> &'static str {
        match self {
            Self::Live => "#/live",
            Self::Analyse => "#/analyse",
            Self::Library => "#/library",
            Self::Connections => "#/connections",
            Self::Server => "#/server",
            Self::Settings => "#/settings",
        }
    }

    /// The page's name in the navigation.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::Analyse => "Analyse",
            Self::Library => "Library",
            Self::Connections => "Connections",
            Self::Server => "Server",
            Self::Settings => "Settings",
        }
    }

    /// The page's name in the viewer's navigation.
    pub(crate) const fn label_in_viewer(self) -> &'static str {
        match self {
            Self::Library | Self::Connections => "Open",
            Self::Live | Self::Analyse | Self::Server | Self::Settings => self.label(),
        }
    }
}

/// The first value of a key in a fragment or query: `#/page?key=value&…`.
pub(crate) fn value<'a>(hash: &'a str, key: &str) -> Option<&'a str> {
    let (_, query) = hash.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(name, value)| (name == key).then_some(value))
}

/// The fragment of a link to laps or a recording in pasted text. The link's host does not matter.
pub(crate) fn pasted(text: &str) -> Option<&str> {
    let link = text.split_whitespace().find_map(|word| word.get(word.find("#/")?..))?;
    let page = Page::from_hash(link);
    (matches!(page, Page::Live | Page::Analyse) && value(link, "recording").is_some()).then_some(link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_lead_back_to_their_pages() {
        for page in Page::ALL {
            assert_eq!(Page::from_hash(page.hash()), page);
        }
        assert_eq!(Page::from_hash("#/live?car=3"), Page::Live);
    }

    #[test]
    fn a_fragment_says_one_thing_under_a_key() {
        let hash = "#/live?demo=f1-2018&seed=&speed=2";
        assert_eq!([value(hash, "demo"), value(hash, "speed")], [Some("f1-2018"), Some("2")]);
        assert_eq!(
            [value(hash, "seed"), value(hash, "eed"), value("#/live", "demo")],
            [Some(""), None, None]
        );
    }

    #[test]
    fn a_link_is_found_in_what_was_pasted() {
        let link = "#/analyse?recording=0a&lap=0.1.2";
        for text in [link.to_owned(), format!("see http://127.0.0.1:8777/{link} there"), format!(" {link}\n")]
        {
            assert_eq!(pasted(&text), Some(link), "{text}");
        }
        for text in ["", "#/analyse", "#/library?q=spa", "#/elsewhere?recording=0a", "lap 3"] {
            assert_eq!(pasted(text), None, "{text}");
        }
    }

    #[test]
    fn without_a_known_name_the_page_waits() {
        for hash in ["", "#", "#/nothing", "#live"] {
            assert_eq!(Page::from_hash(hash), Page::Connections, "{hash:?}");
        }
    }
}
