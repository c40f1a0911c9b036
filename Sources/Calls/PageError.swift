package import OAuth

/// Why the next page is not requested.
package struct PageError: Error, Sendable, Equatable {
    /// The kind: `link_cross_origin` for another origin, and for what is no web URL or has user information;
    /// `insecure_transport`, `pagination_loop`, `invalid_response`; `filter` for a cursor that cannot be used.
    package var kind: ErrorKind
    /// The sentence for the user, with the URL without its query: lower case, no full stop, no secret.
    package var message: String
    /// The origin of the page, if the user may allow it.
    package var origin: String?
    package var hint: String?
}
