import TestSupport
import Testing

/// The library of faults, `Tests/Fixtures/faults.c`, compiled once.
enum FaultLibrary {
    private static let compiled = Result {
        let folder = try TemporaryDirectory()
        let library = folder.path("faults.so")
        try Program(
            path: "/usr/bin/cc",
            arguments: ["-shared", "-fPIC", "-o", library, "\(Fixture.project)/Tests/Fixtures/faults.c"]
        ).run().expect(status: 0)
        return (folder, library)
    }

    /// The variables of a program in which a function of the C library fails with this errno.
    static func fault(_ function: String, _ code: Int32) throws -> [String: String] {
        try variables("\(function):\(code)")
    }

    /// The variables of a program with a fault.
    static func variables(_ fault: String) throws -> [String: String] {
        ["LD_PRELOAD": try compiled.get().1, "FAULT": fault]
    }
}
