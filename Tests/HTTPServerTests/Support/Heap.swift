#if canImport(Glibc)
    import Foundation
    import Glibc

    /// What the process has allocated, as the C library counts it. Of use only in a process of its own.
    enum Heap {
        struct Unknown: Error {}

        /// Bytes in use. Source: malloc_info(3): what the system gave, without what lies free.
        static func bytesInUse() throws -> Int {
            let report = try self.report()
            let whole = report.matches(of: /<(system type="current"|total type="mmap"[^>]*) size="(\d+)"/)
                .suffix(2).compactMap { Int($0.2) }
            let free = report.matches(of: /<total type="(?:fast|rest)" count="\d+" size="(\d+)"/)
                .suffix(2).compactMap { Int($0.1) }
            guard whole.count == 2, free.count == 2 else { throw Unknown() }
            return whole.reduce(0, +) - free.reduce(0, +)
        }

        private static func report() throws -> String {
            typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
            guard let symbol = dlsym(nil, "malloc_info"), let file = tmpfile() else { throw Unknown() }
            defer { fclose(file) }
            guard unsafeBitCast(symbol, to: Info.self)(0, file) == 0 else { throw Unknown() }
            rewind(file)
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }
#endif
