import Essentials
import HTTP

/// How version 4 of the management API calls what version 3 calls otherwise.
///
/// Source: documentation of the PowerAuth Server 2.x, “Migration of the REST API to version 4”.
struct ManagementSpelling: Sendable {
    /// The name of a member in version 3, and in version 4.
    let names: [(older: String, newer: String)]

    /// Of operations and their templates.
    static let types = Self(names: [("signatureType", "authenticationCodeType")])
    /// Of codes and what came of them.
    static let codes = Self(
        names: types.names + [
            ("signature", "authenticationCode"), ("signatureVersion", "authenticationVersion"),
            ("signatureValid", "authenticationValid"),
        ])

    /// The same request as version 3 has it. A name of version 3 is none here.
    func older(_ request: Request) -> Request {
        // What is malformed is refused where it is read.
        guard let body = (try? JSONValue(parsing: request.body))?.object,
            let object = body["requestObject"]?.object
        else { return request }
        var members = object
        for (older, newer) in names { members[older] = object[newer] }
        var request = request
        request.body = JSONValue.object(body.merging(["requestObject": .object(members)]) { $1 }).bytes
        return request
    }

    /// The answer of version 3 as version 4 has it.
    func newer(_ response: Response) throws -> Response {
        var response = response
        response.body = .bytes(try newer(JSONValue(parsing: response.bytes)).bytes)
        return response
    }

    private func newer(_ value: JSONValue) -> JSONValue {
        if let list = value.array { return .array(list.map(newer)) }
        guard let object = value.object else { return value }
        let members = object.map { name, value in
            (
                names.first { $0.older == name }?.newer ?? name,
                Self.foreign.contains(name) ? value : newer(value)
            )
        }
        return .object(Dictionary(members) { first, _ in first })
    }

    /// Members whose own names are those of others.
    private static let foreign: Set = ["parameters", "additionalData", "config"]

    /// A refusal in the words of version 4, which has other codes.
    func newer(_ refusal: ManagementRefusal) -> ManagementRefusal {
        var told = ManagementRefusal(
            refusal.code.told(by: 2),
            refusal.code == .invalidRequest ? newer(refusal.message) : refusal.message,
            refusal.code == .invalidRequest ? newer(refusal.explanation) : refusal.explanation)
        told.members = refusal.members
        return told
    }

    /// Whole words alone.
    private func newer(_ sentence: String) -> String {
        var (result, word) = ("", "")
        for character in sentence + " " {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else {
                result += (names.first { $0.older == word }?.newer ?? word) + String(character)
                word = ""
            }
        }
        return String(result.dropLast())
    }
}
