;; Dot products of one int16 query with many int8 rows, eight products at a time.
;; Integers throughout: the same result on every machine.
(module
  (memory (export "memory") 1)
  ;; rows: first byte of row 0; a row is `stride` bytes: 4 bytes float factor, then `dims` int8 (padded to 16).
  ;; query: `dims` int16. out: one float64 a row = sum * factor * scale.
  (func (export "scan")
    (param $rows i32) (param $count i32) (param $stride i32)
    (param $query i32) (param $dims i32) (param $scale f64) (param $out i32)
    (local $row i32) (local $end i32) (local $d i32) (local $r v128) (local $acc v128)
    (local.set $row (local.get $rows))
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $stride))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $acc (v128.const i32x4 0 0 0 0))
        (local.set $d (i32.const 0))
        (loop $dims16
          (local.set $r (v128.load offset=4 align=1 (i32.add (local.get $row) (local.get $d))))
          (local.set $acc (i32x4.add (local.get $acc) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r))
              (v128.load (i32.add (local.get $query) (i32.shl (local.get $d) (i32.const 1)))))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r))
              (v128.load offset=16 (i32.add (local.get $query) (i32.shl (local.get $d) (i32.const 1))))))))
          (local.set $d (i32.add (local.get $d) (i32.const 16)))
          (br_if $dims16 (i32.lt_u (local.get $d) (local.get $dims))))
        (f64.store (local.get $out) (f64.mul
          (f64.mul (f64.promote_f32 (f32.load align=1 (local.get $row))) (local.get $scale))
          (f64.convert_i32_s (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $acc)) (i32x4.extract_lane 1 (local.get $acc)))
            (i32.add (i32x4.extract_lane 2 (local.get $acc)) (i32x4.extract_lane 3 (local.get $acc)))))))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (br $next)))))
