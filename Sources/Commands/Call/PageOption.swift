internal import CommandSpec

/// The options of `call` for responses in pages.
enum PageOption {
    private static let section = "Pages"

    static let paginate = Option(
        "paginate", section: section, summary: "request all pages of a list",
        details: "Requests the pages of a list, one after the other, and prints each. See PAGES.")
    static let next = Option(
        "next", argument: "FILTER", section: section, summary: "a jq filter that gives the next page",
        details: """
            Finds the next page with a filter over the body instead of the `Link` field. The filter gives a URL, an \
            object with `url`, `query` or `body`, or null after the last page. This implies `--paginate`. See PAGES.
            """)
    static let maxPages = Option(
        "max-pages", argument: "NUMBER", section: section, summary: "how many pages at most",
        details: "Ends after this many pages, without an error.")
    static let slurp = Option(
        "slurp", section: section, summary: "make one array of all pages",
        details: """
            Joins the pages, which must be arrays, into one array. A filter runs once, over that array, which is kept \
            in memory.
            """)

    /// The options.
    static let all = [paginate, next, maxPages, slurp]
}
