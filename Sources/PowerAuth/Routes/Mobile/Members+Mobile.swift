import Essentials
import HTTP
import PlatformKit

// What a device sends to the mobile API.
extension Members {
    /// `{"requestObject": …}` of a request that is not encrypted; a bad member is `ERR_VALIDATION`.
    ///
    /// - Parameter isOptional: whether nothing at all, or no object in the envelope, are as good as an empty one.
    convenience init(plain request: Request, isOptional: Bool = false) throws {
        let envelope = try Members(parsing: request.body, isOptional ? .bodyIsOptional : []) { faults in
            Self.validation(faults[0])
        }
        let object = try envelope.read("requestObject", "an object", isRequired: !isOptional) { $0.object }
        self.init(object ?? [:]) { Self.validation($0[0].within("requestObject")) }
    }

    /// What was encrypted.
    ///
    /// - Parameter kind: how the client hears of a bad member.
    convenience init(_ decrypted: [String: JSONValue], refusingAs kind: MobileRefusal.Kind) {
        self.init(decrypted) { MobileRefusal(kind, $0[0].sentence) }
    }

    private static func validation(_ fault: Fault) -> MobileRefusal {
        let rule = fault.name.isEmpty ? fault.expected : "\(fault.name) must be \(fault.expected)"
        return MobileRefusal(.validation(rule), fault.sentence)
    }

    /// A text; numbers and truth values count as they are written, as to the real parser.
    func written(_ name: String) throws -> String? {
        try read(name, "a text") { value in
            switch value {
            case .object, .array: nil
            default: value.string ?? value.text
            }
        }
    }
}
