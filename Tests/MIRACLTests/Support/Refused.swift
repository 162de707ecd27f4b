import Essentials
import HTTP

@testable import MIRACL

/// The whole body of a refusal, as every client reads it.
func refusal(_ code: String, _ info: String, _ context: [String: String] = [:]) -> JSONValue {
    [
        "error": .string(code), "info": .string(info), "message": .string(info),
        "context": .object(context.mapValues(JSONValue.string)),
    ]
}

extension Response {
    var json: JSONValue { .object(members) }
}
