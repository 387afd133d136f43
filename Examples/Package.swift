// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A program in a folder of `Sources`. Each is one file.
func app(_ name: String, _ others: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: [.product(name: "PlainStore", package: "notes-watch")] + others,
    swiftSettings: settings)
}

let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "notes-watch", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    app("front-page"),
    app("colors"),
    app("contacts"),
    app("quotes"),
    app("users"),
    app(
      "todos", .product(name: "OpenCombine", package: "OpenCombine"),
      .product(name: "OpenCombineDispatch", package: "OpenCombine")),
    .testTarget(
      name: "ExamplesTests", dependencies: ["front-page", "colors", "contacts", "quotes", "users", "todos"],
      swiftSettings: settings),
  ]
)
