// The module PostQuantum for programs of other languages, which prove and measure it: one order on each line of the standard input, words
// apart by one space, bytes as hexadecimal digits and `-` for none. Each has a line for an answer; `error` and a sentence when it is refused.
//
//     kem-key SET SEED              encapsulation key, expanded key pair
//     kem-encapsulate SET KEY M     ciphertext, secret
//     kem-decapsulate SET PAIR C    secret, by an expanded key pair
//     dsa-key SET SEED              verification key, expanded key pair
//     dsa-sign SET SEED M CTX RND   signature; deterministic for `-` as RND
//     dsa-verify SET KEY M CTX SIG  1 or 0
//
// `PostQuantumTool time` prints microseconds instead: the median of each operation.
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

if CommandLine.arguments.dropFirst().first == "time" {
    try Timing.run()
} else {
    while let line = readLine() {
        print(Order.answer(to: line))
        // The other side of a pipe waits for each answer.
        fflush(nil)
    }
}
