// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "notes-watch", path: ".."),
    // Saves the same models into SQLite; needs its headers (Debian: libsqlite3-dev), as the program does.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "DiffableSnapshot", package: "notes-watch"),
        .product(name: "PlainStore", package: "notes-watch"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // The time that reading and parsing a folder takes at least, in C. A program of its own.
    .executableTarget(name: "Floor", linkerSettings: [.linkedLibrary("yaml")]),
  ]
)
