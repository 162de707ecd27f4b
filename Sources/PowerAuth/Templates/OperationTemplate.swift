import Essentials
import SQLite

/// What operations of one name have in common: the server's template.
struct OperationTemplate: Record, Equatable {
    static let table = Table("powerauth_operation_template", order: "number")

    /// Of the management API; the next free one when it is stored without.
    var number: Int?
    /// `templateName`. Unique.
    var name: String
    /// `operationType`: the key of the mobile template, and the operation's `name` on the device.
    var type: String
    /// With `${name}` for each parameter.
    var data: String
    /// Allowed factors.
    var types: [SignatureType]
    var maxFailures = 5
    /// How long an operation may wait for its approval.
    var seconds = 300
    /// Of `X`, `C` and `F`.
    var riskFlags = ""
    var checksProximity = false

    enum CodingKeys: String, CodingKey {
        case number, type, data, seconds
        case name = "id"
        case types = "factors"
        case maxFailures = "max_failures"
        case riskFlags = "risk_flags"
        case checksProximity = "checks_proximity"
    }
}

extension OperationTemplate {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        number = try fields.decodeIfPresent(Int.self, forKey: .number)
        name = try fields.decode(String.self, forKey: .name)
        type = try fields.decode(String.self, forKey: .type)
        data = try fields.decode(String.self, forKey: .data)
        types = try fields.decode([SignatureType].self, forKey: .types)
        maxFailures = try fields.decodeIfPresent(Int.self, forKey: .maxFailures) ?? 5
        seconds = try fields.decodeIfPresent(Int.self, forKey: .seconds) ?? 300
        riskFlags = try fields.decodeIfPresent(String.self, forKey: .riskFlags) ?? ""
        checksProximity = try fields.decodeIfPresent(Bool.self, forKey: .checksProximity) ?? false
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
            return (.riskFlags, "expected letters of XCF, found “\(riskFlags.prefix(20))”")
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
