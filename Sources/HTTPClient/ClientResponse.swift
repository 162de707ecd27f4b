import Essentials
package import HTTP

/// An answer, whole.
package struct ClientResponse: Sendable {
    package let status: Status
    package let headers: Headers
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func json<Output: Decodable>(_: Output.Type) throws -> Output {
        try JSONDecoder().decode(Output.self, from: Data(body))
    }
}
