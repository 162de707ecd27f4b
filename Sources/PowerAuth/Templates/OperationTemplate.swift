import Essentials
import SQLite

/// What operations of one name have in common: the server's template.
struct OperationTemplate: Sendable, Equatable, RowDecodable {
    /// Of the management API; nil before it is stored.
    var number: Int?
    /// `templateName`. Unique.
    let name: String
    /// `operationType`: the key of the mobile template, and the operation's `name` on the device.
    var type: String
    /// With `${name}` for each parameter.
    var data: String
    /// Allowed factors.
    var types: [SignatureType]
    var maxFailures: Int
    /// How long an operation may wait for its approval.
    var seconds: Int
    /// Of `X`, `C` and `F`.
    var riskFlags: String
    var checksProximity: Bool

    init(
        number: Int? = nil, name: String, type: String, data: String, types: [SignatureType],
        maxFailures: Int = 5, seconds: Int = 300, riskFlags: String = "", checksProximity: Bool = false
    ) {
        (self.number, self.name, self.type, self.data, self.types) = (number, name, type, data, types)
        (self.maxFailures, self.seconds, self.riskFlags) = (maxFailures, seconds, riskFlags)
        self.checksProximity = checksProximity
    }

    init(row: Row) throws {
        self.init(
            number: try row.integer("number"), name: try row.text("name"), type: try row.text("type"),
            data: try row.text("data"),
            types: try row.strings("types").compactMap(SignatureType.init(rawValue:)),
            maxFailures: try row.integer("max_failures"), seconds: try row.integer("seconds"),
            riskFlags: try row.text("risk_flags"), checksProximity: try row.boolean("checks_proximity"))
    }
}

extension OperationTemplate {
    /// More attempts than anybody makes.
    static let failureLimits = 1...1_000_000
    /// From a second to thirty years.
    static let secondLimits = 1...1_000_000_000
    static let knownRiskFlags = "XCF"

    /// Why it cannot be used: the member, and a sentence without a full stop. Nil when it can.
    var fault: (member: Member, reason: String)? {
        if !(1...255 ~= name.utf8.count) { return (.name, "expected a name of 1 to 255 bytes") }
        if !(1...255 ~= type.utf8.count) { return (.type, "expected a type of 1 to 255 bytes") }
        if types.isEmpty { return (.types, "expected at least one combination of factors") }
        if !Self.failureLimits.contains(maxFailures) {
            return (.maxFailures, "expected a number from 1 to 1000000, found \(maxFailures)")
        }
        if !Self.secondLimits.contains(seconds) {
            return (.seconds, "expected a number from 1 to 1000000000, found \(seconds)")
        }
        if !riskFlags.allSatisfy({ Self.knownRiskFlags.contains($0) }) {
            return (.riskFlags, "expected letters of XCF, found \"\(riskFlags.prefix(20))\"")
        }
        return nil
    }

    enum Member: Sendable {
        case name
        case type
        case types
        case maxFailures
        case seconds
        case riskFlags
    }
}
