import Essentials
import PlatformKit
import SQLite

extension Onegini {
    /// Applications, devices, profiles, enrollments, and what removed ones left behind.
    static func loadDevices(_ fixtures: OneginiFixtures, into db: Connection) throws {
    }

    static func exportDevices(to fixtures: inout OneginiFixtures, from db: Connection) throws {
    }
}
