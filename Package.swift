// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    // Not the library for regular expressions: its tables are a seventh of the program.
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    // Types are made by direct calls: found by their names, the first one of a start looks through all conformances.
    .unsafeFlags(
        ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
    // The interface of a module is written by a job of its own, so that the next module need not wait for its code.
    .unsafeFlags(["-emit-module-separately-wmo"], .when(configuration: .release)),
    // No hash of the compiler's intermediate code: it may differ where the machine code is the same.
    .unsafeFlags(["-Xfrontend", "-disable-incremental-llvm-codegen"], .when(configuration: .release)),
]

/// What makes a program small and quick to start: no symbols (a package has them in a file of their own), not even those
/// that linking the standard library statically exports, and the C++ runtime linked in. All functions are bound at the
/// start, so that no address of one can be written to later (full RELRO). The functions of common commands are next to each
/// other (Tests/Benchmarks/order), so that a start touches fewer pages.
let small: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", Context.environment["OAP_SYMBOLS"] == nil ? "-s" : "--build-id", "-Xlinker",
            "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker",
            "now", "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/oap/Link/order",
            "-Xlinker", "--no-warn-symbol-ordering", "-Xclang-linker", "-static-libgcc",
            "-L\(Context.packageDirectory)/Sources/oap/Link",
        ],
        .when(configuration: .release))
]

/// A module of the program; see Sources/README.md for what each is for.
///
/// - Parameter texts: files of it that `CTexts` brings into the program.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], texts: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: texts, swiftSettings: strict)
}

/// A test suite; Foundation is allowed there.
func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
        swiftSettings: [.treatAllWarnings(as: .error)])
}

/// The tests and what they share, which a build of the programs alone leaves out (`OAP_PROGRAMS=1`).
let suites: [Target] = [
    .target(name: "TestSupport", dependencies: ["Errands", "System", "Wire"], path: "Tests/TestSupport"),
    .target(
        name: "StoreSupport", dependencies: ["Errands", "JOSE", "System", "TestSupport", "TokenStore"],
        path: "Tests/StoreSupport"),
    .target(
        name: "PlaySupport", dependencies: ["Commands", "Shell", "System", "TestSupport", "Wire"],
        path: "Tests/PlaySupport"),
    .target(name: "CommandSupport", dependencies: ["TestSupport", "Wire"], path: "Tests/CommandSupport"),
    .target(name: "RecordChecks", dependencies: ["CommandSpec"], path: "Tests/RecordChecks", swiftSettings: strict),
    suite("SystemTests", ["System"]),
    suite("WireTests", ["Wire"]),
    suite("JOSETests", ["JOSE", "Wire"]),
    suite("JQTests", ["JQ", "Wire"]),
    suite("RedactionTests", ["Redaction", "Wire"]),
    suite("HTTPTests", ["HTTP", "Errands", "Redaction", "Wire", "System"]),
    suite("EngineTests", ["Engine", "Errands", "HTTP", "System", "Wire"]),
    suite("LoopbackTests", ["Errands", "Loopback", "System", "Wire"]),
    suite("OAuthTests", ["Members", "OAuth", "JOSE", "Wire"]),
    suite("CallsTests", ["Calls", "Errands", "OAuth", "System", "Wire"]),
    suite(
        "TokenStoreTests", ["TokenStore", "Engine", "Errands", "HTTP", "JOSE", "StoreSupport", "Wire", "System"]),
    suite(
        "SandboxTests", ["Sandbox", "JOSE", "CommandSpec", "RecordChecks", "Wire", "oap-sandbox"],
        exclude: ["ClientLibraries"]),
    suite("CommandSpecTests", ["CommandSpec", "RecordChecks", "Wire"]),
    suite(
        "TokensTests",
        [
            "Commands", "CommandSpec", "CommandSupport", "Engine", "Errands", "JOSE", "OAuth", "PlaySupport",
            "Redaction", "Sessions", "Shell", "StoreSupport", "System", "Tokens", "TokenStore", "Wire",
        ]),
    suite(
        "CommandUnitTests",
        [
            "Calling", "Calls", "Commands", "CommandSpec", "CommandSupport", "HTTP", "Login", "Members", "OAuth",
            "PlaySupport", "Proxying", "RecordChecks", "Redaction", "Sessions", "Shell", "System", "Tokens",
            "TokenStore", "Wire",
        ]),
    // These run the programs that are built, and link nothing of them.
    suite("CommandTests", ["CommandSupport", "Wire"], exclude: ["Keys/joserfc"]),
    suite("ExampleTests", ["Wire"]),
    suite("PeerTests", ["Wire"]),
    suite("ClientTests", [], exclude: ["Clients"]),
]

let package = Package(
    name: "oap",
    products: [
        .executable(name: "oap", targets: ["oap"]), .executable(name: "oap-sandbox", targets: ["oap-sandbox"]),
    ],
    targets: [
        .target(name: "CLazyLoad"),
        .target(name: "CProcess"),
        .target(name: "CTexts"),
        .target(name: "CSandboxTexts"),
        .target(name: "CLibCodings", dependencies: ["CLazyLoad"]),
        .target(name: "CLibCrypto", dependencies: ["CLazyLoad"], linkerSettings: [.linkedLibrary(":libcrypto.a")]),
        .target(name: "CLibCurl", dependencies: ["CLazyLoad"]),
        .target(
            name: "CLibJQ", dependencies: ["CLazyLoad"],
            // libjq finds this function in the program, instead of its own (Builtins.c).
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=jq_parse_library"])]),
        .target(name: "CLibMicroHTTPD", dependencies: ["CLazyLoad"]),
        .target(name: "CLibQREncode", dependencies: ["CLazyLoad"]),
        module("System", ["CProcess"]),
        module("Wire", ["CProcess"]),
        module("Members"),
        module("JOSE", ["Wire", "CLibCrypto"]),
        module("JQ", ["Wire", "System", "CLibJQ"]),
        module("QR", ["CLibQREncode"]),
        module("Redaction", ["Wire", "Members"]),
        module("Errands", ["Wire", "System"]),
        module("HTTP", ["Wire", "System", "Errands", "Redaction", "CLibCurl", "CLibCodings"]),
        module("Engine", ["Wire", "System", "Errands", "HTTP"]),
        module("Loopback", ["Wire", "System", "Errands", "CLibMicroHTTPD"]),
        module(
            "OAuth", ["Wire", "JOSE", "Members", "CTexts"],
            texts: ["Presets/providers.json", "Response/refusals.json"]),
        module("Calls", ["Wire", "System", "Errands", "OAuth"]),
        module("TokenStore", ["Wire", "System", "Errands", "JOSE"]),
        module("CommandSpec", ["Wire", "CTexts"], texts: ["text"]),
        // It imports none of CommandSpec, Engine and Loopback. It comes after them because SwiftPM builds what is ready in the
        // reversed order of the names, and `oap`, which takes longest, would wait for the sandbox.
        module("Sandbox", ["Wire", "JOSE", "CommandSpec", "Engine", "Loopback", "CSandboxTexts"], texts: ["text"]),
        module(
            "Shell",
            [
                "Wire", "JOSE", "JQ", "QR", "Redaction", "Errands", "Engine", "Loopback", "Members", "OAuth", "Calls",
                "TokenStore", "CommandSpec", "System", "CTexts",
            ],
            texts: ["Manual/text"]),
        module(
            "Tokens",
            ["Wire", "JOSE", "Redaction", "Errands", "Members", "OAuth", "Calls", "TokenStore", "System", "Shell"]),
        module(
            "Sessions",
            [
                "Wire", "JOSE", "Redaction", "Errands", "HTTP", "Engine", "Members", "OAuth", "TokenStore",
                "CommandSpec", "System", "Shell", "Tokens",
            ]),
        module(
            "Login",
            [
                "Wire", "JOSE", "Errands", "HTTP", "Engine", "Loopback", "Members", "OAuth", "Calls", "TokenStore",
                "CommandSpec", "System", "Shell", "Tokens", "Sessions", "CTexts",
            ],
            texts: ["Listen/text"]),
        module(
            "Calling",
            [
                "Wire", "JOSE", "JQ", "Redaction", "Errands", "HTTP", "Engine", "Members", "OAuth", "Calls",
                "TokenStore", "CommandSpec", "System", "Shell", "Tokens", "Sessions",
            ]),
        module(
            "Proxying",
            [
                "Wire", "JOSE", "Redaction", "Errands", "HTTP", "Engine", "Loopback", "OAuth", "Calls", "CommandSpec",
                "System", "Shell", "Sessions", "Calling",
            ]),
        module(
            "Commands",
            [
                "Wire", "JOSE", "JQ", "Redaction", "Errands", "HTTP", "Engine", "Loopback", "Members", "OAuth", "Calls",
                "TokenStore", "CommandSpec", "System", "Shell", "Tokens", "Sessions", "Login",
                "Calling", "Proxying", "CTexts",
            ]),
        .executableTarget(
            name: "oap", dependencies: ["Commands"], exclude: ["Link"], swiftSettings: strict,
            linkerSettings: small),

        .executableTarget(
            name: "oap-sandbox",
            dependencies: [
                "Sandbox", "Errands", "HTTP", "Engine", "Loopback", "CommandSpec", "JOSE", "Wire", "System",
                "CSandboxTexts",
            ],
            exclude: ["text"], swiftSettings: strict, linkerSettings: small),
    ] + (Context.environment["OAP_PROGRAMS"] == nil ? suites : []),
    swiftLanguageModes: [.v6]
)
