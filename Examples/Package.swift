// swift-tools-version: 6.2

import PackageDescription

/// A program in a folder of `Sources`. Each is one file.
func example(_ name: String, _ others: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["PlainStore", "PlainText", "DiffableSnapshot"].map { .product(name: $0, package: "notes-watch") }
      + others,
    swiftSettings: [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ])
}

let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "notes-watch", path: ".."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    example("colors"),
    example("quotes"),
    example("users"),
    example("todos", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")),
  ]
)
