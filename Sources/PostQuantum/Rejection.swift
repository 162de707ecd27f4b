import Crypto

extension SHAKE {
    /// Has `take` read the output of one input, and from a longer one, from the start, as long as it says that there was too little.
    ///
    /// - Parameters:
    ///   - count: enough for nearly every input.
    ///   - input: gives the input to this function; it is called once for each try.
    func sample(
        _ count: Int, input: (SHAKE) -> Void, _ take: (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        var (room, isDone) = (count, false)
        while !isDone {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
                input(self)
                squeeze(into: bytes)
                isDone = take(UnsafeBufferPointer(bytes))
            }
            room *= 2
        }
    }
}
