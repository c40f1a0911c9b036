internal import CommandSpec

/// The options of `call` for responses in pages.
enum PageOption {
    private static let section = "Pages"

    static let paginate = Option(
        "paginate", section: section, summary: "request all pages of a list",
        details: "Requests all pages of a list, one after the other, and prints each page. See PAGES.")
    static let next = Option(
        "next", argument: "FILTER", section: section, summary: "a jq filter that gives the next page",
        details: """
            Finds the next page with this filter instead of the `Link` field. The output of the filter is a URL, an \
            object with `url`, `query` or `body`, or null after the last page. This option implies `--paginate`. See \
            PAGES.
            """)
    static let maxPages = Option(
        "max-pages", argument: "NUMBER", section: section, summary: "how many pages at most",
        details: "The command ends after this number of pages, with exit status 0.")
    static let slurp = Option(
        "slurp", section: section, summary: "make one array of all pages",
        details: """
            Joins the pages into one array. Each page must be an array. With `--jq`, `oap` keeps the joined array in \
            memory, and runs the filter once.
            """)

    /// The options.
    static let all = [paginate, next, maxPages, slurp]
}
