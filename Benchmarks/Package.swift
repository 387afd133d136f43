// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "notes-watch", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [.product(name: "DiffableSnapshot", package: "notes-watch")],
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
