// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] =
    Context.environment["MOCKNET_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let common: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ] + strict

/// A C library of the system: headers by pkg-config, named by its Debian package.
func system(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/Libraries/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])]
    )
}

/// A Swift target in the folder of its layer.
func module(_ name: String, in layer: String, _ dependencies: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "Sources/\(layer)/\(name)",
        swiftSettings: common,
        // Double's conversions to integers call into the C math library.
        linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    )
}

func tests(_ subject: String, in layer: String, _ dependencies: [String] = []) -> Target {
    .testTarget(
        name: "\(subject)Tests",
        dependencies: ([subject] + dependencies).map { .init(stringLiteral: $0) },
        path: "Tests/\(layer)/\(subject)Tests",
        swiftSettings: common
    )
}

let libraries: [Target] = [
    system("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    system("CNghttp2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
    system("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    system("CWslay", apt: "libwslay-dev", brew: "wslay"),
    .systemLibrary(name: "CLinux", path: "Sources/Libraries/CLinux"),
    .target(
        name: "CBuild",
        path: "Sources/Libraries/CBuild",
        cSettings: [
            .define("MOCKNET_COMMIT", to: "\"\(Context.environment["MOCKNET_COMMIT"] ?? "unknown")\"")
        ]
    ),
    .target(name: "CDashboard", path: "Sources/Libraries/CDashboard", exclude: ["assets"]),
    module("DashboardAssets", in: "Libraries", ["CDashboard"]),
    module("Threads", in: "Libraries"),
    module("Files", in: "Libraries"),
    module("Sodium", in: "Libraries", ["CSodium"]),
    module("OpenSSLCrypto", in: "Libraries", ["COpenSSL"]),
    module("Polling", in: "Libraries", ["CLinux"]),
    module(
        "HTTPDaemon",
        in: "Libraries",
        ["CMicrohttpd", "CZlib", "CLinux", "Polling", "Threads", "TLSListener"]
    ),
    module("TLSListener", in: "Libraries", ["COpenSSL", "CLinux", "Polling", "Threads"]),
    module("WebSockets", in: "Libraries", ["CWslay", "Polling", "Threads"]),
    module("HTTP2Session", in: "Libraries", ["CNghttp2"]),
    module("HTTPClient", in: "Libraries", ["CCurl"]),
    module("SQLiteDatabase", in: "Libraries", ["CSQLite"]),
    module("YAMLEvents", in: "Libraries", ["CYAML"]),
    module("POSIX", in: "Libraries", ["CBuild"]),
]

let core: [Target] = [
    module("Determinism", in: "Core"),
    module("JSONValue", in: "Core"),
    module("AdamantModel", in: "Core", ["Determinism", "JSONValue"]),
    module("AdamantLedger", in: "Core", ["Determinism", "JSONValue", "AdamantModel"]),
    module("APNsRules", in: "Core", ["Determinism", "JSONValue"]),
    module("FaultRules", in: "Core", ["Determinism", "JSONValue"]),
    module("SocketIORules", in: "Core", ["Determinism", "JSONValue"]),
    module("Simulators", in: "Core", ["Determinism", "JSONValue", "AdamantModel", "APNsRules"]),
    module(
        "TraceRules",
        in: "Core",
        ["Determinism", "JSONValue", "AdamantModel", "AdamantLedger", "Simulators"]
    ),
    module(
        "AuditRules",
        in: "Core",
        [
            "Determinism", "JSONValue", "AdamantModel", "AdamantLedger", "Simulators", "TraceRules",
        ]
    ),
    module("ScenarioModel", in: "Core", ["Determinism", "JSONValue", "AdamantModel", "FaultRules"]),
]

let servers: [Target] = [
    module(
        "NodeServer",
        in: "Servers",
        [
            "HTTPDaemon", "AdamantLedger", "AdamantModel", "FaultRules", "Determinism", "JSONValue",
            "Threads",
        ]
    ),
    module(
        "NodeSockets",
        in: "Servers",
        [
            "HTTPDaemon", "WebSockets", "OpenSSLCrypto", "Sodium", "Threads", "SocketIORules",
            "AdamantLedger", "AdamantModel", "FaultRules", "Determinism", "JSONValue",
        ]
    ),
    module(
        "APNsServer",
        in: "Servers",
        [
            "HTTP2Session", "TLSListener", "OpenSSLCrypto", "APNsRules", "FaultRules", "Determinism",
            "JSONValue", "Threads",
        ]
    ),
    module("ControlServer", in: "Servers", ["HTTPDaemon", "JSONValue", "Threads"]),
    module("SystemCryptography", in: "Servers", ["AdamantModel", "Sodium", "OpenSSLCrypto"]),
    module("Recording", in: "Servers", ["SQLiteDatabase", "Threads", "Files", "JSONValue"]),
    module(
        "SimulatorDrivers",
        in: "Servers",
        ["Simulators", "HTTPClient", "Threads", "AdamantModel", "Determinism", "JSONValue"]
    ),
]

let world: [Target] = [
    module(
        "WorldRuntime",
        in: "World",
        [
            "AdamantLedger", "AdamantModel", "APNsRules", "APNsServer", "AuditRules", "ControlServer",
            "Determinism",
            "FaultRules", "HTTPDaemon", "JSONValue", "NodeServer", "NodeSockets", "OpenSSLCrypto",
            "Recording",
            "SimulatorDrivers", "Simulators", "SocketIORules", "SystemCryptography", "TLSListener", "Threads",
            "TraceRules", "WebSockets", "Polling", "Files", "POSIX", "DashboardAssets", "HTTPClient",
        ]
    ),
    module(
        "ScenarioRunner",
        in: "World",
        [
            "WorldRuntime", "ScenarioModel", "SimulatorDrivers", "ControlServer", "HTTPClient",
            "OpenSSLCrypto",
            "YAMLEvents", "Files", "Determinism", "JSONValue", "Threads",
        ]
    ),
    module(
        "CommandLineInterface",
        in: "World",
        [
            "AuditRules",
            "SystemCryptography", "WorldRuntime", "ScenarioRunner", "ScenarioModel", "ControlServer",
            "HTTPClient", "YAMLEvents", "Files", "POSIX", "Threads",
            "FaultRules", "Simulators",
            "AdamantLedger", "AdamantModel", "Determinism", "JSONValue",
        ]
    ),
    .executableTarget(
        name: "mocknet",
        dependencies: ["CommandLineInterface"],
        path: "Sources/World/mocknet",
        swiftSettings: common,
        // In place of the C library's allocator: Docs/decisions.md tells why.
        linkerSettings: [.linkedLibrary("mimalloc", .when(platforms: [.linux]))]
    ),
]

/// What others build into their tests: Foundation alone, none of the above.
let client: [Target] = [
    .target(name: "MocknetClient", path: "Sources/Client/MocknetClient", swiftSettings: common)
]

let testTargets: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["JSONValue"],
        path: "Tests/TestSupport",
        swiftSettings: common
    ),
    tests("JSONValue", in: "Core", ["Determinism"]),
    tests("Determinism", in: "Core", ["TestSupport", "JSONValue"]),
    tests(
        "AdamantModel",
        in: "Core",
        ["SystemCryptography", "TestSupport", "JSONValue", "Determinism"]
    ),
    tests(
        "AdamantLedger",
        in: "Core",
        ["SystemCryptography", "TestSupport", "AdamantModel", "JSONValue", "Determinism"]
    ),
    tests("APNsRules", in: "Core", ["TestSupport", "JSONValue", "Determinism"]),
    tests("FaultRules", in: "Core", ["TestSupport", "JSONValue", "Determinism"]),
    tests("SocketIORules", in: "Core", ["TestSupport", "JSONValue", "Determinism"]),
    tests("ScenarioModel", in: "Core", ["TestSupport", "JSONValue"]),
    tests(
        "Simulators",
        in: "Core",
        ["SystemCryptography", "TestSupport", "AdamantModel", "JSONValue", "Determinism"]
    ),
    tests(
        "TraceRules",
        in: "Core",
        [
            "SystemCryptography", "AdamantLedger", "AdamantModel", "Determinism", "JSONValue", "Simulators",
            "TestSupport",
        ]
    ),
    tests(
        "AuditRules",
        in: "Core",
        [
            "SystemCryptography", "AdamantLedger", "AdamantModel", "Determinism", "JSONValue", "Simulators",
            "TestSupport", "TraceRules",
        ]
    ),
    tests("Threads", in: "Libraries"),
    tests("Files", in: "Libraries", ["TestSupport"]),
    tests("Sodium", in: "Libraries", ["TestSupport", "JSONValue", "AdamantModel"]),
    tests("OpenSSLCrypto", in: "Libraries", ["TestSupport", "JSONValue", "AdamantModel"]),
    tests("HTTPDaemon", in: "Libraries", ["TestSupport"]),
    tests("Polling", in: "Libraries"),
    tests("TLSListener", in: "Libraries", ["OpenSSLCrypto"]),
    tests("WebSockets", in: "Libraries", ["Threads"]),
    tests("SQLiteDatabase", in: "Libraries", ["TestSupport"]),
    tests("HTTPClient", in: "Libraries", ["Threads"]),
    tests("YAMLEvents", in: "Libraries"),
    tests("POSIX", in: "Libraries"),
    tests(
        "NodeServer",
        in: "Servers",
        [
            "SystemCryptography", "TestSupport", "HTTPDaemon", "AdamantLedger", "AdamantModel", "FaultRules",
            "Determinism",
            "JSONValue",
        ]
    ),
    tests(
        "NodeSockets",
        in: "Servers",
        ["HTTPDaemon", "WebSockets", "SocketIORules", "AdamantModel", "FaultRules", "JSONValue"]
    ),
    tests(
        "APNsServer",
        in: "Servers",
        [
            "TestSupport", "TLSListener", "HTTP2Session", "APNsRules", "FaultRules", "Determinism",
            "JSONValue",
            "OpenSSLCrypto",
        ]
    ),
    tests(
        "SimulatorDrivers",
        in: "Servers",
        [
            "SystemCryptography", "TestSupport", "HTTPDaemon", "Simulators", "Threads", "AdamantModel",
            "Determinism", "JSONValue",
        ]
    ),
    tests("SystemCryptography", in: "Servers", ["TestSupport", "AdamantModel", "JSONValue"]),
    tests("ControlServer", in: "Servers", ["HTTPClient", "HTTPDaemon", "JSONValue"]),
    tests(
        "Recording",
        in: "Servers",
        ["SystemCryptography", "TestSupport", "SQLiteDatabase", "Threads", "Files", "JSONValue"]
    ),
    tests(
        "WorldRuntime",
        in: "World",
        [
            "SystemCryptography", "TestSupport", "JSONValue", "AdamantModel", "ControlServer", "Determinism",
            "APNsRules", "FaultRules", "Files", "HTTPClient", "HTTPDaemon", "OpenSSLCrypto", "Recording",
            "Simulators",
            "Threads",
        ]
    ),
    tests(
        "ScenarioRunner",
        in: "World",
        ["WorldRuntime", "ScenarioModel", "YAMLEvents", "TestSupport", "JSONValue"]
    ),
    tests(
        "CommandLineInterface",
        in: "World",
        [
            "WorldRuntime", "ScenarioModel", "ScenarioRunner", "FaultRules", "Files", "YAMLEvents",
            "AdamantModel", "HTTPClient", "JSONValue", "TestSupport",
        ]
    ),
    .testTarget(
        name: "MocknetClientTests",
        dependencies: ["MocknetClient", "TestSupport"],
        path: "Tests/Client/MocknetClientTests",
        swiftSettings: common
    ),
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["TestSupport", "JSONValue"],
        path: "Tests/World/EndToEndTests",
        exclude: ["clients"],
        swiftSettings: common
    ),
]

let package = Package(
    name: "mocknet",
    platforms: [.macOS(.v15), .iOS(.v15)],
    products: [
        .executable(name: "mocknet", targets: ["mocknet"]),
        .library(name: "MocknetClient", targets: ["MocknetClient"]),
    ],
    targets: libraries + core + servers + world + client + testTargets,
    swiftLanguageModes: [.v6]
)
