import COpenSSL

/// One encryption or decryption under way.
final class CipherRun {
    private let context: OpaquePointer

    init(_ cipher: OpaquePointer, key: [UInt8], iv: [UInt8], encrypts: Bool) throws {
        context = try require(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
        try require(EVP_CipherInit_ex2(context, cipher, key, iv, encrypts ? 1 : 0, nil), "EVP_CipherInit")
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func setPadding(_ isOn: Bool) { EVP_CIPHER_CTX_set_padding(context, isOn ? 1 : 0) }

    func authenticate(_ bytes: [UInt8]) throws {
        var count: Int32 = 0
        try require(EVP_CipherUpdate(context, nil, &count, bytes, size(bytes)), "EVP_CipherUpdate")
    }

    func update(_ bytes: [UInt8]) throws -> [UInt8] {
        let size = try size(bytes)
        return try output(room: bytes.count + 32, "EVP_CipherUpdate") { output, count in
            EVP_CipherUpdate(context, output, &count, bytes, size)
        }
    }

    func finish() throws -> [UInt8] {
        try output(room: 32, "EVP_CipherFinal") { output, count in
            EVP_CipherFinal_ex(context, output, &count)
        }
    }

    func tag(count: Int) throws -> [UInt8] {
        try output(room: count, "EVP_CTRL_AEAD_GET_TAG") { output, written in
            written = Int32(count)
            return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(count), output)
        }
    }

    func setTag(_ tag: [UInt8]) throws {
        var tag = tag
        let result = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
        try require(result, "EVP_CTRL_AEAD_SET_TAG")
    }

    private func output(
        room: Int, _ call: String, _ body: (UnsafeMutablePointer<UInt8>?, inout Int32) -> Int32
    ) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: room) { output, written in
            var count: Int32 = 0
            try require(body(output.baseAddress, &count), call)
            written = Int(count)
        }
    }

    private func size(_ bytes: [UInt8]) throws -> Int32 {
        guard let size = Int32(exactly: bytes.count) else {
            throw CryptoError(call: "AES", message: "more than 2 GiB at once")
        }
        return size
    }
}
