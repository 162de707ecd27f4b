import Essentials
import PlatformKit

extension Operation {
    /// What the console tells of it beside its state.
    func facts(at now: Date) -> [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Template", template), ("Data", data),
            ("Failed attempts", "\(failures) of \(maxFailures)"),
            ("Factors", types.map(\.rawValue).joined(separator: ", ")),
            ("Applications", applications.joined(separator: ", ")),
            ("Registration", activation), ("Activation flag", flag), ("External id", externalID),
            ("Risk flags", riskFlags.isEmpty ? nil : riskFlags),
            // A seed that makes none has nothing to tell.
            ("Proximity OTP", state(at: now) == .pending ? (try? proximityOTP(at: now)) ?? nil : nil),
            ("Reason", stateReason),
            (
                "Additional data",
                additionalData.isEmpty ? nil : JSONValue.object(additionalDataWithDevice).text
            ),
        ]
        return all.compactMap { name, value in value.map { ConsoleRecord.Fact(name, $0) } }
    }
}
