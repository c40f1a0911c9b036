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
            Finds the next page with a filter over the body instead of the `Link` field, and implies `--paginate`. It \
            gives a URL, an object of `url`, `query` and `body`, or null. See PAGES.
            """)
    static let maxPages = Option(
        "max-pages", argument: "NUMBER", section: section, summary: "how many pages at most",
        details: "Ends after this many pages, without an error.")
    static let slurp = Option(
        "slurp", section: section, summary: "make one array of all pages",
        details: """
            Every page must be an array; the result is one array with the elements of all. A filter runs once, over \
            that array, which is kept in memory.
            """)

    /// The options.
    static let all = [paginate, next, maxPages, slurp]
}
