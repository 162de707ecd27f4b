import Crypto
import Essentials
import PlatformKit
import SQLite

extension World {
    /// The key that all enrollments share, read once; nil in a world whose fixtures bring none.
    func serverKey() throws -> OpenPGPServerKey? {
        try services.memo.value("onegini.pgp") {
            SharedKey(key: try database.read { try ServerKey.setting.value(in: $0) }?.key())
        }.key
    }

    /// The server's key of an enrollment: its own, or the world's one.
    func serverKey(of enrollment: Enrollment) throws -> OpenPGPServerKey? {
        try enrollment.serverKey?.key() ?? serverKey()
    }
}

/// What the world has of one; the memo keeps no nil.
private struct SharedKey: Sendable {
    let key: OpenPGPServerKey?
}
