internal import CommandSpec

/// The options of `call` for responses in pages.
enum PageOption {
    private static let section = "Pages"

    static let paginate = Option("paginate", section: section, summary: "request all pages of a list")
    static let next = Option(
        "next", argument: "FILTER", section: section, summary: "a jq filter that gives the next page")
    static let maxPages = Option(
        "max-pages", argument: "NUMBER", form: .number(from: 1), section: section, summary: "how many pages at most")
    static let slurp = Option("slurp", section: section, summary: "make one array of all pages")

    static let all = [paginate, next, maxPages, slurp]
}
