// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// One program per parser of untrusted text. libFuzzer provides their `main`.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "notes-watch", path: "..")],
  targets: [
    .target(
      name: "FuzzProperties",
      dependencies: [
        .product(name: "TextEdits", package: "notes-watch"),
        .product(name: "PlainStore", package: "notes-watch"),
      ],
      swiftSettings: strict)
  ]
    + [
      "FuzzYAML", "FuzzScanner", "FuzzJSON", "FuzzMarkdown", "FuzzPredicate", "FuzzMerge", "FuzzGlob",
      "FuzzLike", "FuzzRegex",
      "FuzzSettings",
    ].map {
      .executableTarget(
        name: $0, dependencies: ["FuzzProperties", .product(name: "TextEdits", package: "notes-watch")],
        swiftSettings: strict)
    }
)
