/* Tells the editor the headings of the page. Only the origin of the service may frame a preview. */
(() => {
  const { headings } = document.getElementById('embed').dataset;
  parent.postMessage({ type: 'embed-gateway:headings', headings: JSON.parse(headings) }, '*');
})();
