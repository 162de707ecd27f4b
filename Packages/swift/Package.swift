// swift-tools-version: 6.2
import PackageDescription

// Helpers for tests against Understudy. Their names are internal: import them with @testable, which works in debug builds alone.
let package = Package(
    name: "understudy-swift",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
        .library(name: "UnderstudyPasskeys", targets: ["UnderstudyPasskeys"]),
    ],
    targets: [.target(name: "UnderstudyTesting"), .target(name: "UnderstudyPasskeys")])
