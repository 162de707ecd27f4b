import Essentials
import HTTP
import Testing

/// The published description of the server API: `Tests/Vectors/nextauth`.
enum Description {
    private static let whole: JSONValue = {
        var path = URL(filePath: #filePath)
        for _ in 1...4 { path.deleteLastPathComponent() }
        path.append(path: "Vectors/nextauth/server-2.2.swagger.json")
        guard let data = try? Data(contentsOf: path), let value = try? JSONValue(parsing: Array(data)) else {
            Issue.record("\(path) cannot be read")
            return .null
        }
        return value
    }()

    /// One call of it.
    struct Operation: Sendable, CustomTestStringConvertible {
        let id: String
        let method: Request.Method
        let path: String
        /// One of these is needed, with `global ` before those that count only on all servers.
        let permissions: [String]
        let parameters: [JSONValue]
        let responses: [String: JSONValue]

        var testDescription: String { id }
        var schema: JSONValue? { responses["200"]?["schema"] }
        var names404: Bool { responses["404"] != nil }
        /// Names of the parameters in the path.
        var pathNames: [String] { names(in: "path") }

        func names(in place: String, requiredOnly: Bool = false) -> [String] {
            parameters.filter {
                $0["in"]?.string == place && (!requiredOnly || $0["required"]?.boolean == true)
            }.compactMap { $0["name"]?.string }
        }
    }

    static let operations: [Operation] = (whole["paths"]?.object ?? [:]).sorted { $0.key < $1.key }
        .flatMap { path, methods in
            (methods.object ?? [:]).sorted { $0.key < $1.key }.map { method, call in
                Operation(
                    id: call["operationId"]?.string ?? "", method: .init(rawValue: method.uppercased()),
                    path: path, permissions: call["x-required-permission"]?.strings ?? [],
                    parameters: call["parameters"]?.array ?? [], responses: call["responses"]?.object ?? [:])
            }
        }

    /// What is wrong with a value by a schema of the description; members that it does not name are wrong too.
    static func faults(of value: JSONValue, by schema: JSONValue, at place: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            guard let named = whole["definitions"]?[String(reference)] else {
                return ["\(reference) is not defined"]
            }
            return faults(of: value, by: named, at: place)
        }
        switch (schema["type"]?.string, value) {
        case ("object", .object(let members)): return faults(of: members, by: schema, at: place)
        case ("array", .array(let elements)):
            return elements.enumerated().flatMap {
                faults(of: $0.element, by: schema["items"] ?? .null, at: "\(place)[\($0.offset)]")
            }
        case ("string", .string), ("integer", .integer), ("boolean", .boolean): return []
        default: return ["\(place) is \(value.text), no \(schema["type"]?.string ?? "known type")"]
        }
    }

    private static func faults(
        of members: [String: JSONValue], by schema: JSONValue, at place: String
    ) -> [String] {
        let missing = (schema["required"]?.strings ?? []).filter { members[$0] == nil }
        let known = schema["properties"]?.object ?? [:]
        return missing.map { "\(place).\($0) is missing" }
            + members.sorted { $0.key < $1.key }.flatMap { name, value in
                known[name].map { faults(of: value, by: $0, at: "\(place).\(name)") }
                    ?? ["\(place).\(name) is not described"]
            }
    }
}
