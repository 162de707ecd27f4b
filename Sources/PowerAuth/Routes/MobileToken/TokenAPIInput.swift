import Essentials
import HTTP

/// What a device sends: `{"requestObject": …}`, or `{}` where nothing is asked. What is encrypted may be the object alone.
struct TokenAPIInput: Sendable {
    /// Nil when there is no object under `requestObject`.
    let object: [String: JSONValue]?

    /// - Throws: `INVALID_REQUEST` for a body that is no JSON object.
    init(_ request: Request) throws {
        object = try Self.members(of: request.body)["requestObject"]?.object
    }

    /// What was encrypted: some SDKs put the object in `requestObject` there as well, others send it bare.
    ///
    /// - Throws: `INVALID_REQUEST` for a plaintext that is no JSON object.
    init(decrypted plaintext: [UInt8]) throws {
        let members = try Self.members(of: plaintext)
        object = members["requestObject"].map(\.object) ?? members
    }

    private static func members(of body: [UInt8]) throws -> [String: JSONValue] {
        do {
            guard let members = try JSONValue(parsing: body).object else {
                throw TokenAPIError(.requestInvalid, "The body is no JSON object.")
            }
            return members
        } catch let error as DecodingError {
            throw TokenAPIError(.requestInvalid, "The body is not JSON: \(error.sentence).")
        }
    }

    /// A member that must be a text with something in it.
    ///
    /// - Throws: `INVALID_REQUEST`.
    func text(_ name: String) throws -> String {
        guard let object else { throw TokenAPIError(.requestInvalid, "The body has no requestObject.") }
        guard let text = object[name]?.string, !text.allSatisfy(\.isWhitespace) else {
            throw TokenAPIError(.requestInvalid, "The requestObject has no text \"\(name)\".")
        }
        return text
    }

    /// A whole number; `standard` when it is left out.
    ///
    /// - Throws: `INVALID_REQUEST`.
    func number(_ name: String, _ range: ClosedRange<Int>, standard: Int) throws -> Int {
        guard let value = object?[name], !value.isNull else { return standard }
        guard let number = value.integer, range.contains(number) else {
            throw TokenAPIError(
                .requestInvalid,
                "Expected a whole number from \(range.lowerBound) to \(range.upperBound) as \"\(name)\", found "
                    + "\(value.text.prefix(60)).")
        }
        return number
    }
}
