import COpenSSL

/// Named parameters of an OpenSSL call.
struct Parameters {
    enum Value {
        case text(String)
        case octets([UInt8])
        /// An unsigned integer of any size, most significant byte first.
        case number([UInt8])
        case size(Int)
    }

    let list: [(name: String, value: Value)]

    init(_ list: [(name: String, value: Value)]) {
        self.list = list
    }

    /// Calls `body` with the parameters as OpenSSL reads them, which are valid during the call.
    func withPointer<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>?) throws -> Result) rethrows -> Result
    {
        var storage: [UInt8] = []
        let places = list.map { parameter in
            let data = parameter.value.data
            let name = Self.append(Array(parameter.name.utf8) + [0], to: &storage)
            return (name: name, data: Self.append(data.bytes + [0], to: &storage), of: data)
        }
        return try storage.withUnsafeMutableBytes { memory in
            var parameters = places.map { place in
                OSSL_PARAM(
                    key: memory.baseAddress.map {
                        UnsafePointer(($0 + place.name).assumingMemoryBound(to: CChar.self))
                    },
                    data_type: place.of.type, data: memory.baseAddress.map { $0 + place.data },
                    data_size: place.of.bytes.count, return_size: 0)
            }
            parameters.append(OSSL_PARAM())
            return try parameters.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
        }
    }

    /// Appends at an offset that suits every integer, and answers the offset.
    private static func append(_ bytes: [UInt8], to storage: inout [UInt8]) -> Int {
        while storage.count % 8 != 0 { storage.append(0) }
        defer { storage += bytes }
        return storage.count
    }
}

extension Parameters.Value {
    fileprivate var data: (type: UInt32, bytes: [UInt8]) {
        switch self {
        case .text(let text): (UInt32(OSSL_PARAM_UTF8_STRING), Array(text.utf8))
        case .octets(let bytes): (UInt32(OSSL_PARAM_OCTET_STRING), bytes)
        case .number(let bytes): (UInt32(OSSL_PARAM_UNSIGNED_INTEGER), Self.native(bytes))
        case .size(let size): (UInt32(OSSL_PARAM_UNSIGNED_INTEGER), withUnsafeBytes(of: size) { Array($0) })
        }
    }

    /// OpenSSL reads integers in the byte order of the machine.
    private static func native(_ bigEndian: [UInt8]) -> [UInt8] {
        1.littleEndian == 1 ? bigEndian.reversed() : bigEndian
    }
}
