/// A page of the manual, as in `oap-exchange(1)`.
package struct ManualReference: Sendable, Hashable {
    package let name: String
    package let section: Int

    package init(_ name: String, _ section: Int) { (self.name, self.section) = (name, section) }
}
