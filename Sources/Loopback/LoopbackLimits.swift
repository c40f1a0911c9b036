/// The limits of a server for each client (in addition to those of the handler).
package struct LoopbackLimits: Sendable {
    /// The most bytes of request line and header; more is answered with 431, or 414.
    package var headerBytes = 16 << 10
    /// The most bytes of content; more is answered with 413.
    package var bodyBytes = 64 << 10
    /// The time for a request to arrive as a whole, counted from the connection or from the response before; and for a
    /// client to take some bytes of a response. Whole seconds.
    package var time = Duration.seconds(5)
    /// The most connections at once for each address; more wait until one is closed.
    package var connections = 64

    /// Whether a request is answered though its client has broken the connection off: a program that brings a redirect may
    /// not wait for the page.
    package var rescues: Bool

    package init(rescues: Bool = false) { self.rescues = rescues }
}
