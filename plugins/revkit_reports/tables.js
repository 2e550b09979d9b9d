"use strict";
(function () {
  function key(row, place) {
    var text = row.cells[place] ? row.cells[place].textContent.trim() : "";
    var number = parseFloat(text.replace(/,/g, ""));
    return { text: text, number: /^[-+<]?[0-9.]/.test(text) && !isNaN(number) ? number : null };
  }
  function compare(a, b) {
    if (a.number !== null && b.number !== null) { return a.number - b.number; }
    if (a.number !== null) { return -1; }
    if (b.number !== null) { return 1; }
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  }
  function prepare(table) {
    var body = table.tBodies[0];
    if (!table.tHead || !body || body.rows.length < 3) { return; }
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, place) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () {
        var sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach(function (each) { each.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        Array.prototype.slice.call(body.rows)
          .map(function (row, index) { return { row: row, key: key(row, place), index: index }; })
          .sort(function (a, b) {
            var mixed = (a.key.number === null) !== (b.key.number === null);
            return (mixed ? 1 : sign) * compare(a.key, b.key) || a.index - b.index;
          })
          .forEach(function (each) { body.appendChild(each.row); });
      });
    });
    if (body.rows.length < 12) { return; }
    var field = document.createElement("input");
    field.type = "search";
    field.className = "filter";
    field.placeholder = "Filter rows";
    field.setAttribute("aria-label", "Filter the rows of this table");
    field.addEventListener("input", function () {
      var wanted = field.value.toLowerCase();
      Array.prototype.slice.call(body.rows).forEach(function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
      });
    });
    var frame = table.parentNode;
    frame.parentNode.insertBefore(field, frame);
  }
  Array.prototype.slice.call(document.querySelectorAll("table:not(.lines)")).forEach(prepare);
})();
