import DeviceKit
package import Essentials

extension Device {
    /// A request whose body is `{"requestObject": …}`, or `{}` without an object.
    ///
    /// - Returns: the whole envelope of the response, which says `OK`.
    /// - Throws: ``ServerRefusal``; ``DeviceError`` for a success that is none.
    @discardableResult
    package func call(
        _ path: String, _ object: JSONValue? = nil, headers: [(name: String, value: String)] = []
    ) throws -> JSONValue {
        try Self.envelope(
            send(DeviceRequest(path, headers: headers, body: style.json(Self.wrapped(object)))))
    }

    /// The plaintext of a request that has nothing to say.
    var nothing: [UInt8] { isOfFourth ? [] : style.json([:]) }

    static func wrapped(_ object: JSONValue?) -> JSONValue {
        .object(object.map { ["requestObject": $0] } ?? [:])
    }

    /// The JSON of a success; status 200 is the only one.
    static func success(_ response: DeviceResponse) throws -> JSONValue {
        guard response.status == 200 else { throw ServerRefusal(response) }
        do {
            return try JSONValue(parsing: response.body)
        } catch {
            throw DeviceError("the response is not JSON: \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    static func envelope(_ response: DeviceResponse) throws -> JSONValue {
        let json = try success(response)
        guard let status = json["status"]?.string else {
            throw DeviceError("the response has no “status”: \(json.text)")
        }
        guard status == "OK" else { throw ServerRefusal(response) }
        return json
    }
}
