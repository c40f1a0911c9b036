/// A page of the manual, as in `oap-exchange(1)`.
package struct ManualReference: Sendable, Hashable {
    /// The name of the page.
    package let name: String
    /// Its section.
    package let section: Int

    /// Makes a reference; see the properties.
    package init(_ name: String, _ section: Int) {
        self.name = name
        self.section = section
    }
}
