// swift-tools-version: 6.2

import PackageDescription

// CONTRIBUTING.md says why each dependency is needed.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "notes-watch",
  // The program is not listed: SwiftPM makes the product of an executable target by itself, but
  // only when this is the root package. A package that uses the libraries then does not resolve
  // argument-parser, which only the program needs.
  products: [
    .library(name: "Values", targets: ["Values"]),
    .library(name: "TextEdits", targets: ["TextEdits"]),
    .library(name: "Watch", targets: ["Watch"]),
    .library(name: "DiffableSnapshot", targets: ["DiffableSnapshot"]),
    .library(name: "PlainStore", targets: ["PlainStore"]),
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "Git", targets: ["Git"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    // Ground: files, values and texts. It knows no folder.
    .systemLibrary(
      name: "CLibYAML", path: "Sources/Ground/CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .target(name: "CLinux", path: "Sources/Ground/CLinux"),
    .target(
      name: "Files", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
      path: "Sources/Ground/Files",
      swiftSettings: strict),
    .target(
      name: "Processes",
      dependencies: ["CLinux", "Files", .product(name: "SystemPackage", package: "swift-system")],
      path: "Sources/Ground/Processes", swiftSettings: strict),
    .target(
      name: "Values", dependencies: ["CLibYAML", "Files"], path: "Sources/Ground/Values",
      swiftSettings: strict),
    .target(
      name: "TextEdits", dependencies: ["Files", "Values"], path: "Sources/Ground/TextEdits",
      swiftSettings: strict),

    // Core: folders as lists.
    .systemLibrary(
      name: "CPCRE2", path: "Sources/Core/CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"])]),
    .target(
      name: "Watch",
      dependencies: ["CLinux", "Files", .product(name: "SystemPackage", package: "swift-system")],
      path: "Sources/Core/Watch", swiftSettings: strict),
    .target(name: "DiffableSnapshot", path: "Sources/Core/DiffableSnapshot", swiftSettings: strict),
    .target(
      name: "Query",
      dependencies: ["Files", "Values", "CPCRE2", .product(name: "SystemPackage", package: "swift-system")],
      path: "Sources/Core/Query", swiftSettings: strict),
    .target(
      name: "Folder",
      dependencies: [
        "CLinux", "Files", "Values", "TextEdits", "Watch", "Query",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Core/Folder", swiftSettings: strict),
    .target(
      name: "Store",
      dependencies: [
        "Folder",
        "CLinux", "Files", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Query",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Core/Store", swiftSettings: strict),

    // Models: the types of users, on the facade. The programs don't link them.
    .target(
      name: "Models",
      dependencies: [
        "Files", "Values", "TextEdits", "DiffableSnapshot", "Query", "Folder", "Store",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ], path: "Sources/Models", swiftSettings: strict),
    // What users import: the facade and the models.
    .target(
      name: "PlainStore", dependencies: ["Store", "Models"], path: "Sources/PlainStore",
      swiftSettings: strict),

    // Streams: the protocol, once.
    .target(
      name: "Streams",
      dependencies: [
        "Files", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Store",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      path: "Sources/Streams", swiftSettings: strict),

    // Tools: printing, scripts, state, git, terminal.
    .systemLibrary(
      name: "CSQLite", path: "Sources/Tools/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "Printing",
      dependencies: ["Files", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Store", "Streams"],
      path: "Sources/Tools/Printing", swiftSettings: strict),
    .target(
      name: "Scripts",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Store",
        "Streams",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Tools/Scripts", swiftSettings: strict),
    .target(
      name: "StateStore",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "Watch", "DiffableSnapshot", "Store", "Streams", "CSQLite",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Tools/StateStore", swiftSettings: strict),
    .target(
      name: "Git",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Store",
        "Streams",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Tools/Git", swiftSettings: strict),
    .target(
      name: "Terminal",
      dependencies: [
        "CLinux", "Files", "Processes", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Sources/Tools/Terminal", swiftSettings: strict),

    .target(
      name: "Survey", dependencies: ["Files", "Values", "TextEdits", "Query", "Folder", "Store"],
      path: "Sources/Tools/Survey", swiftSettings: strict),

    // Flats: what a user runs. Only the command joins them.
    .systemLibrary(
      name: "CZlib", path: "Sources/Flats/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CWebPage", path: "Sources/Flats/CWebPage", exclude: ["Assets"]),
    .target(
      name: "Browse",
      dependencies: [
        "Files", "Values", "TextEdits", "DiffableSnapshot", "Store", "Streams", "Printing", "Survey",
        "Terminal",
      ],
      path: "Sources/Flats/Browse", swiftSettings: strict),
    .target(
      name: "Serve",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "TextEdits", "DiffableSnapshot", "Store", "Streams",
        "Printing", "Survey", "Git",
        "CZlib", "CWebPage",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Flats/Serve", swiftSettings: strict),
    .target(
      name: "HTTPTransport",
      dependencies: [
        "CLinux", "Files", "Values", "Store", "Streams", "Serve",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Flats/HTTPTransport", swiftSettings: strict),
    .target(
      name: "Daemon",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "Watch", "Store", "Streams", "Printing", "Scripts",
        "StateStore", "Git",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Flats/Daemon", swiftSettings: strict),
    .executableTarget(
      name: "notes-watch",
      dependencies: [
        "CLinux", "Files", "Processes", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Store",
        "Streams",
        "Printing", "Survey", "Scripts", "StateStore", "Git", "Terminal",
        "Browse", "Serve", "HTTPTransport", "Daemon",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Flats/notes-watch", swiftSettings: strict),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["Files", "Terminal"], path: "Tests/TestSupport",
      swiftSettings: strict),
    // A program that the tests of the terminal end in every way.
    .executableTarget(
      name: "DeviceProbe", dependencies: ["Terminal"], path: "Tests/DeviceProbe", swiftSettings: strict),

    .testTarget(name: "CLinuxTests", dependencies: ["CLinux", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FilesTests",
      dependencies: ["Files", "TestSupport", .product(name: "SystemPackage", package: "swift-system")],
      exclude: ["Text/Width/make-widths.py", "Text/Width/widths.txt"], swiftSettings: strict),
    .testTarget(
      name: "ProcessesTests",
      dependencies: [
        "Files", "Processes", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TextTests", dependencies: ["Values", "TextEdits", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "WatchTests", dependencies: ["Files", "Watch", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DiffableSnapshotTests", dependencies: ["DiffableSnapshot", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PlainStoreTests",
      dependencies: [
        "Folder",
        "CLinux", "Files", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Query", "Store", "Models",
        "PlainStore", "Streams",
        "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Files", "Values", "TextEdits", "Watch", "DiffableSnapshot", "Query", "Folder", "Store", "PlainStore",
        "Streams", "TestSupport",
      ],
      exclude: ["PublicSymbols.txt"],
      swiftSettings: strict),
    // Lists made by hand.
    .target(
      name: "SampleLists",
      dependencies: [
        "DiffableSnapshot", "Files", "Store", "Values",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ], path: "Tests/SampleLists", swiftSettings: strict),
    .testTarget(
      name: "PrintingTests",
      dependencies: [
        "TextEdits", "Query",
        "Files", "Values", "Watch", "DiffableSnapshot", "Store", "Streams", "Printing", "SampleLists",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScriptsTests",
      dependencies: [
        "Files", "Processes", "Values", "Watch", "DiffableSnapshot", "Store", "Streams", "Scripts",
        "SampleLists",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "GitTests",
      dependencies: [
        "Files", "Values", "TextEdits", "DiffableSnapshot", "Store", "Streams", "Git", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StateStoreTests",
      dependencies: [
        "Folder",
        "TextEdits", "Query",
        "Files", "Processes", "Values", "Watch", "DiffableSnapshot", "Store", "Streams", "StateStore",
        "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ServeTests",
      dependencies: [
        "Files",
        "Query",
        "Values", "TextEdits", "DiffableSnapshot", "Store", "Streams", "Serve",
        "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], swiftSettings: strict),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        "CLinux", "Files", "Values", "Store", "Streams", "Printing", "Serve", "HTTPTransport",
        "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Files", "Processes", "Values", "Store", "Streams", "Printing", "Scripts", "StateStore", "Daemon",
        "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: strict),
    .testTarget(
      name: "TerminalTests", dependencies: ["Files", "Terminal", "TestSupport", "DeviceProbe"],
      swiftSettings: strict),
    .testTarget(
      name: "SurveyTests",
      dependencies: ["Files", "Values", "TextEdits", "Query", "Folder", "Store", "Survey", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BrowseTests",
      dependencies: [
        "Folder",
        "TextEdits", "Query",
        "Files", "Values", "Store", "Streams", "Printing", "Terminal", "Survey", "Browse", "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ArgumentsTests",
      dependencies: [
        "Query",
        "Files", "Processes", "Values", "TextEdits", "Store", "Streams", "Printing", "Scripts", "Terminal",
        "Browse",
        "Daemon",
        "notes-watch",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Values", "TextEdits", "Store", "Streams", "Terminal", "Browse", "notes-watch",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ConvergenceTests", dependencies: ["notes-watch", "TestSupport"], swiftSettings: strict),
  ]
)

// `make quick` builds and tests only what knows no folder, process or clock.
if Context.environment["NOTES_WATCH_QUICK"] != nil {
  let names: Set = [
    "CLibYAML", "CLinux", "Files", "Processes", "Values", "TextEdits", "DiffableSnapshot", "Terminal",
    "TestSupport",
    "TextTests", "DiffableSnapshotTests",
  ]
  package.targets.removeAll { !names.contains($0.name) }
  package.products = []
}
