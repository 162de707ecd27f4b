/// The IV of a status that answers a challenge, 16 bytes.
package enum StatusIV {
    package static func compute(_ transport: SecretKey, _ exchange: StatusExchange) throws -> [UInt8] {
        try transport.derived(3000).derived(from: exchange.challenge.bytes + exchange.nonce.bytes).bytes
    }
}
