/// What a device sends: the path is relative to the base address of the server, `/pa/v3/status`.
package struct DeviceRequest: Sendable {
    /// Upper case.
    package var method: String
    package var path: String
    /// The text behind the question mark, as it stands in the address.
    package var query: String?
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        method: String = "POST", _ path: String, query: String? = nil,
        headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The value of the header of that name, written in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
