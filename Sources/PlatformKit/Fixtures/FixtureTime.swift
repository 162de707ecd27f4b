package import Essentials

extension Date {
    /// The time of an entry of a fixture file that says none: 2026-01-01T00:00:00Z.
    package static let ofFixtures = Date(timeIntervalSince1970: 1_767_225_600)
}
