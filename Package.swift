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
    .library(name: "PlainText", targets: ["PlainText"]),
    .library(name: "DirectoryWatch", targets: ["DirectoryWatch"]),
    .library(name: "DiffableSnapshot", targets: ["DiffableSnapshot"]),
    .library(name: "PlainStore", targets: ["PlainStore"]),
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "GitHistory", targets: ["GitHistory"]),
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
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CWebPage", exclude: ["Assets"]),
    .target(
      name: "LinuxFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")], swiftSettings: strict),
    .target(name: "TerminalText", swiftSettings: strict),
    .target(name: "PlainText", dependencies: ["CLibYAML", "TerminalText"], swiftSettings: strict),
    .target(
      name: "DirectoryWatch", dependencies: ["CLinux", "LinuxFiles", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: strict),
    .target(name: "DiffableSnapshot", swiftSettings: strict),
    .target(
      name: "PlainStore",
      dependencies: [
        "CLinux", "CPCRE2", "LinuxFiles", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "Streams", dependencies: ["PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot"], swiftSettings: strict),
    .target(
      name: "Sinks",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "GitHistory",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "StateStore",
      dependencies: [
        "Streams", "CLinux", "CSQLite", "LinuxFiles", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "Server",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot", "GitHistory", "Sinks",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "WebServer",
      dependencies: [
        "Streams", "CLinux", "CWebPage", "CZlib", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot",
        "GitHistory",
        "Server", "Sinks",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "HTTPTransport",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "PlainStore", "Server", "Sinks", "WebServer",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "Daemon",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "DiffableSnapshot", "GitHistory", "Server",
        "Sinks",
        "StateStore",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "notes-watch",
      dependencies: [
        "Streams", "CLinux", "Daemon", "HTTPTransport", "LinuxFiles", "PlainStore", "PlainText", "TerminalText", "DirectoryWatch", "GitHistory",
        "Server", "Sinks", "StateStore", "TerminalDevice", "TerminalView", "WebServer",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "TerminalDevice",
      dependencies: ["CLinux", "LinuxFiles", "TerminalText", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: strict),
    // Without access to what is internal to the package: the list comes through the public
    // interface of the libraries.
    .target(
      name: "TerminalView",
      dependencies: ["PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "Sinks", "TerminalDevice", "TerminalText"],
      packageAccess: false,
      swiftSettings: strict),
    // A tool of the build: it writes what is installed beside the program.
    .executableTarget(name: "Packaging", dependencies: ["Daemon", "PlainText"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["TerminalDevice", "TerminalText"], path: "Tests/TestSupport", swiftSettings: strict),
    // A program that the tests of the terminal end in every way.
    .executableTarget(name: "DeviceProbe", dependencies: ["TerminalDevice"], path: "Tests/DeviceProbe", swiftSettings: strict),
    .testTarget(name: "CLinuxTests", dependencies: ["CLinux", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LinuxFilesTests", dependencies: ["LinuxFiles", "TestSupport", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTextTests", dependencies: ["TerminalText", "TestSupport"], exclude: ["Width/make-widths.py", "Width/widths.txt"],
      swiftSettings: strict),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "DirectoryWatchTests", dependencies: ["LinuxFiles", "DirectoryWatch", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "DiffableSnapshotTests", dependencies: ["DiffableSnapshot", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PlainStoreTests",
      dependencies: ["LinuxFiles", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SinksTests",
      dependencies: [
        "Streams", "CLinux", "LinuxFiles", "Sinks", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TerminalText", "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "GitHistoryTests",
      dependencies: ["LinuxFiles", "GitHistory", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StateStoreTests",
      dependencies: [
        "Streams", "LinuxFiles", "StateStore", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Streams", "LinuxFiles", "Server", "Sinks", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "TerminalText", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: [
        "Streams", "WebServer", "LinuxFiles", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot", "Server", "Sinks", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        "Streams", "HTTPTransport", "LinuxFiles", "Server", "Sinks", "WebServer", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Streams", "Daemon", "LinuxFiles", "Server", "Sinks", "StateStore", "PlainStore", "PlainText", "DirectoryWatch", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalDeviceTests", dependencies: ["CLinux", "DeviceProbe", "LinuxFiles", "TerminalDevice", "TerminalText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalViewTests",
      dependencies: [
        "LinuxFiles", "TerminalView", "TerminalDevice", "TerminalText", "PlainStore", "PlainText", "DirectoryWatch", "DiffableSnapshot",
        "Sinks",
        "TestSupport", .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PackagingTests", dependencies: ["Packaging", "PlainText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ArgumentsTests",
      dependencies: [
        "notes-watch", "Sinks", "PlainStore", "PlainText", "DirectoryWatch", "LinuxFiles", "TerminalDevice", "TerminalView", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: ["notes-watch", "PlainStore", "PlainText", "TerminalView", "TerminalDevice", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "ConvergenceTests", dependencies: ["notes-watch", "TestSupport"], swiftSettings: strict),
  ]
)
