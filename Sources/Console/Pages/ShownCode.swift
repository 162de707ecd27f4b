/// A QR code that stands somewhere in the console, and that a phone could scan.
struct ShownCode {
    let name: String
    let kind: String
    /// Title of the platform.
    let platform: String
    let user: String?
    let text: String

    var about: String { [kind, user].compactMap(\.self).joined(separator: " · ") }
    var title: String { "\(name), \(kind), \(platform)" }
}
