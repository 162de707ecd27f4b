/// When a sign-up or login asks for a credential that the user lacks.
enum Acquisition: String, Codable, Sendable {
    case always, conditional, never
}
