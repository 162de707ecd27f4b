/// The section `app` of a fixture file.
package struct SampleAppFixtures: Codable, Sendable {
    var portal: PortalSettings?
    /// Logins that began at the portal.
    var logins: [Login]?
    var sessions: [Session]?
}
