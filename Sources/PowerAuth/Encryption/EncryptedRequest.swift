import Essentials
import HTTP
import PlatformKit
import SQLite

/// What every encrypted request is looked at for, whatever generation of the protocol it speaks.
enum EncryptedRequest {
    /// The application and its version that a key names.
    ///
    /// - Throws: ``EnvelopeRefusal``.
    static func application(
        _ key: String, in db: Connection
    ) throws -> (application: Application, version: ApplicationVersion) {
        let version = try ApplicationVersion.supported(key, in: db)
        guard let application = try Application.find(version.application, in: db) else {
            throw EnvelopeRefusal.applicationKeyUnknown(key)
        }
        return (application, version)
    }

    /// - Throws: ``EnvelopeRefusal``.
    static func json(of request: Request) throws -> JSONValue {
        do {
            return try JSONValue(parsing: request.body)
        } catch let error as DecodingError {
            throw EnvelopeRefusal.bodyMalformed(error.sentence)
        }
    }

    /// - Parameters:
    ///   - milliseconds: of the request, since 1970.
    ///   - limit: seconds that it may be off.
    /// - Throws: ``EnvelopeRefusal``.
    static func checkTime(_ milliseconds: Int, limit: Int, at now: Date) throws {
        let distance = milliseconds.subtractingReportingOverflow(now.unixMilliseconds)
        guard !distance.overflow,
            distance.partialValue.magnitude <= UInt(clamping: limit.multiplied(by: 1000))
        else {
            throw EnvelopeRefusal.timeOff(
                milliseconds: distance.overflow ? .max : distance.partialValue, limit: limit)
        }
    }
}

extension ApplicationVersion {
    /// - Throws: ``EnvelopeRefusal``.
    static func supported(_ key: String, in db: Connection) throws -> ApplicationVersion {
        guard let version = try find(key, in: db) else { throw EnvelopeRefusal.applicationKeyUnknown(key) }
        guard version.isSupported else { throw EnvelopeRefusal.versionUnsupported(version.name) }
        return version
    }
}
